import { createServer } from 'node:net'

/**
 * Why nothing can listen at the port, with the cure, before anybody waits for a build; nothing where it is free.
 *
 * @param own the process that runs the product on the same data folder
 */
export function findPortProblem(port: number, own?: number, host = '127.0.0.1'): Promise<string | undefined> {
  // 0 is any free one; of anything else that is no port the settings speak.
  if (!Number.isInteger(port) || port <= 0 || port > 65_535) return Promise.resolve(undefined)
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', ({ code }: NodeJS.ErrnoException) => resolve(explain(code, port, own)))
    probe.listen(port, host, () => probe.close(() => resolve(undefined)))
  })
}

function explain(code: string | undefined, port: number, own: number | undefined): string | undefined {
  if (code === 'EADDRINUSE' && own !== undefined)
    return `Port ${port} is taken, and process ${own} runs the product on this data folder already. Open http://localhost:${port}, or stop that process first.`
  if (code === 'EADDRINUSE')
    return `Port ${port} is taken by another program. Stop that program, or choose another port: PORT=${port < 65_535 ? port + 1 : 4001} npm start`
  if (code === 'EACCES')
    return `This user may not listen on port ${port}. Choose a port above 1023: PORT=4000 npm start`
  return undefined
}
