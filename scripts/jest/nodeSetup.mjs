import { jest } from '@jest/globals'

// Jest gives modules `it` and `expect` as globals, but not itself.
globalThis.jest = jest

// The first server test of a run makes the database that the others clone.
jest.setTimeout(90_000)
