"""Moving pictures: which there are and how long each stands, their files, the process that makes them."""
