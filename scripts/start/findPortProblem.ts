import { createServer } from 'node:net'

/** Why nothing can listen at the port, with the cure, before anybody waits for a build; nothing where it is free. */
export function findPortProblem(port: number, host = '127.0.0.1'): Promise<string | undefined> {
  // 0 is any free one; of anything else that is no port the settings speak.
  if (!Number.isInteger(port) || port <= 0 || port > 65_535) return Promise.resolve(undefined)
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', ({ code }: NodeJS.ErrnoException) => resolve(explain(code, port)))
    probe.listen(port, host, () => probe.close(() => resolve(undefined)))
  })
}

function explain(code: string | undefined, port: number): string | undefined {
  if (code === 'EADDRINUSE')
    return `Port ${port} is taken by another program. Stop that program, or choose another port: PORT=${port < 65_535 ? port + 1 : 4001} npm start`
  if (code === 'EACCES')
    return `This user may not listen on port ${port}. Choose a port above 1023: PORT=4000 npm start`
  return undefined
}
