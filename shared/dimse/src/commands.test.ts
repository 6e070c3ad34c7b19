import { readCommand, writeCommand } from './commands.ts'

const said = (comment: string): string | undefined =>
  readCommand(writeCommand({ field: 0x8001, comment }, false)).command.comment

it('says as many whole sentences of a comment as there is room for (LO, 64 characters)', () => {
  expect(said('Short. And whole.')).toBe('Short. And whole.')
  const [first, second] = ['A'.repeat(30), 'B'.repeat(31)]
  expect(said(`${first}. ${second}.`)).toBe(`${first}. ${second}.`)
  expect(said(`${first}. ${second}. C.`)).toBe(`${first}. ${second}.`)
  expect(said(`${first}. ${second}B.`)).toBe(`${first}.`)
})

it('says whole words of a sentence that is longer', () => {
  expect(said(`${'word '.repeat(20)}.`)).toBe(`${'word '.repeat(12)}...`)
  expect(said('x'.repeat(100))).toBe(`${'x'.repeat(60)} ...`)
})
