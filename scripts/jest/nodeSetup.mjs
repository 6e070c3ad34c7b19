// The first server test of a run makes the database that the others clone.
jest.setTimeout(90_000)
