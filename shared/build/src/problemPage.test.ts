import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerProblem } from './problemPage.ts'

const problem = './server/src/serve.ts 12:5\nSyntaxError: Expression expected <div>'
const server = createServer((request, response) => answerProblem(problem, request, response))
let address: string
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
})
afterAll(() => server.close())

describe('a request for which there is no server', () => {
  it('is answered to people with a page that says the place and the sentence, and that it comes back', async () => {
    const answer = await fetch(address, { headers: { accept: 'text/html,*/*' } })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8'])
    const text = await answer.text()
    expect(text).toContain('./server/src/serve.ts 12:5\nSyntaxError: Expression expected &lt;div>')
    expect(text).toContain('comes back by itself')
  })

  it('is answered to programs with the error envelope', async () => {
    const answer = await fetch(address, { headers: { accept: 'application/json' } })
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
    const { code, message } = (await answer.json()) as { code: string; message: string }
    expect(code).toBe('NOT_READY')
    expect(message).toContain('./server/src/serve.ts 12:5 SyntaxError: Expression expected <div>')
  })
})
