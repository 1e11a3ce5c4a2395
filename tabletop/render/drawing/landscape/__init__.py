"""The ground of a table as a painting: fields, relief, water, roads, woods and villages, computed pixel by pixel."""
