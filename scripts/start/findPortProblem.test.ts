import { createServer, type AddressInfo } from 'node:net'
import { findPortProblem } from './findPortProblem.ts'

it('says before anything is built that the port is taken, and which to take instead', async () => {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const { port } = other.address() as AddressInfo
  expect(await findPortProblem(port)).toMatch(
    new RegExp(`^Port ${port} is taken by another program\\. .*PORT=\\d+ npm start$`),
  )
  expect(await findPortProblem(port, 4711)).toBe(
    `Port ${port} is taken, and process 4711 runs the product on this data folder already. Open http://localhost:${port}, or stop that process first.`,
  )
  await new Promise((resolve) => other.close(resolve))
  expect(await findPortProblem(port)).toBeUndefined()
})

it.each([0, -1, 65_536, 4000.5, Number.NaN])('leaves %d to the settings, which say what a port is', async (port) => {
  expect(await findPortProblem(port)).toBeUndefined()
})
