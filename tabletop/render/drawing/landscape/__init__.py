"""The table's ground as a painting: fields, relief, water, ways, woods and villages in pixels, made by the program."""
