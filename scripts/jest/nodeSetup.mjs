// A busy machine is no failure: what hangs is found all the same.
jest.setTimeout(240_000)
