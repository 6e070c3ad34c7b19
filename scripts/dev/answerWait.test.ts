import { setTimeout as pause } from 'node:timers/promises'
import { AnswerWait } from './answerWait.ts'
import { ProductProblems } from './productProblems.ts'

function waitFor(limits?: ConstructorParameters<typeof AnswerWait>[1]) {
  const wait = new AnswerWait(new ProductProblems(), limits)
  wait.isBuilt = true
  return wait
}

describe('a request to npm run dev', () => {
  it('waits from an edit until the next server listens, and not before there is a page', async () => {
    const wait = waitFor()
    wait.isBuilt = false
    wait.hear('listening')
    const first = wait.findProblem()
    expect(await Promise.race([first, pause(30, 'waits')])).toBe('waits')
    wait.isBuilt = true
    expect(await first).toBeUndefined()
    wait.hear('ending')
    const second = wait.findProblem()
    wait.hear('starting')
    expect(await Promise.race([second, pause(30, 'waits')])).toBe('waits')
    wait.hear('listening')
    expect(await second).toBeUndefined()
  })

  it('hears why there is no server, until the next one starts', async () => {
    const wait = waitFor()
    wait.hear({ text: './server/src/app.ts 1\nhalf a sentence' })
    wait.hear('ending')
    expect(await wait.findProblem()).toBe('./server/src/app.ts 1\nhalf a sentence')
    wait.hear('starting')
    wait.hear('listening')
    expect(await wait.findProblem()).toBeUndefined()
  })

  it('waits no longer than it may, and with no more others than may wait', async () => {
    const wait = waitFor({ milliseconds: 1000, most: 1 })
    const first = wait.findProblem()
    expect(await wait.findProblem()).toBe('1 requests wait for the server already.')
    expect(await first).toBe('The server has not answered for 1 seconds. The terminal says what it is doing.')
    wait.hear('listening')
    expect(await wait.findProblem()).toBeUndefined()
  })
})
