import { directionLetters } from './orientation.ts'

describe('orientation markers', () => {
  it.each([
    [[1, 0, 0], 'L'],
    [[-2, 0, 0], 'R'],
    [[0, 1, 0], 'P'],
    [[0, -1, 0], 'A'],
    [[0, 0, 1], 'H'],
    [[0, 0, -1], 'F'],
    [[0.05, 0, 0.99], 'H'],
    [[-0.5, 0.8, 0], 'PR'],
    [[0, 0, 0], ''],
  ])('%j is %s [7.42]', (direction, letters) => {
    expect(directionLetters(direction)).toBe(letters)
  })
})
