"""The camera: pixels to table and back, zoom at the cursor, pan."""

import math

import pytest

from tabletop.render.drawing.camera import CLOSEST, Camera

TABLE = (48.0, 36.0)


@pytest.fixture
def camera() -> Camera:
    return Camera.fitting(TABLE, (1000, 800))


def test_the_whole_table_fits(camera: Camera) -> None:
    for corner in ((0.0, 0.0), (48.0, 36.0)):
        x, y = camera.to_screen(corner)
        assert 0 <= x <= 1000
        assert 0 <= y <= 800


def test_north_is_up_and_east_is_right(camera: Camera) -> None:
    here, east, north = (camera.to_screen(p) for p in ((10.0, 10.0), (11.0, 10.0), (10.0, 11.0)))
    assert east[0] > here[0]
    assert east[1] == here[1]
    assert north[1] < here[1]


def test_pixel_and_table_point_are_inverse(camera: Camera) -> None:
    assert camera.to_table(camera.to_screen((13.25, 7.5))) == pytest.approx((13.25, 7.5))


@pytest.mark.parametrize("factor", [0.5, 1.15, 3.0])
def test_zoom_keeps_the_point_under_the_cursor(camera: Camera, factor: float) -> None:
    pixel = (731, 122)
    under = camera.to_table(pixel)
    assert camera.zoomed(factor, pixel, camera.scale).to_table(pixel) == pytest.approx(under)


def test_zoom_has_limits(camera: Camera) -> None:
    near, far = camera, camera
    for _ in range(60):
        near = near.zoomed(2.0, (500, 400), camera.scale)
        far = far.zoomed(0.5, (500, 400), camera.scale)
    assert near.scale == CLOSEST
    assert far.scale == pytest.approx(camera.scale / 2)


def test_pan_moves_the_table_with_the_hand(camera: Camera) -> None:
    before = camera.to_screen((20.0, 20.0))
    after = camera.panned(30, -12).to_screen((20.0, 20.0))
    assert (after[0] - before[0], after[1] - before[1]) == pytest.approx((30, -12))


def test_the_table_cannot_be_lost(camera: Camera) -> None:
    away = camera.panned(1e6, 1e6).kept_on(TABLE)
    x, y = away.to_table((500, 400))
    assert 0 <= x <= 48
    assert 0 <= y <= 36


def test_resizing_keeps_the_middle(camera: Camera) -> None:
    wide = camera.panned(40, 25).resized((1600, 900))
    assert wide.to_table((800, 450)) == pytest.approx(camera.panned(40, 25).to_table((500, 400)))
    assert math.isclose(wide.scale, camera.scale)


def test_a_dense_camera_sees_the_same_and_draws_half_as_large() -> None:
    plain, dense = Camera.fitting(TABLE, (1000, 800)), Camera.fitting(TABLE, (2000, 1600), density=2.0)
    assert dense.scale == pytest.approx(2 * plain.scale)
    assert dense.drawn == pytest.approx(plain.drawn)
    assert dense.to_table((600, 400)) == pytest.approx(plain.to_table((300, 200)))
    near = dense.zoomed(1e9, (0, 0), dense.scale)
    assert (near.scale, near.drawn, near.density) == (2 * CLOSEST, CLOSEST, 2.0)
    assert near.panned(3, 4).resized((900, 700)).density == 2.0
