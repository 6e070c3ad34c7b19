import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { node, runProcess } from '../workspace/runProcess.ts'
import { root } from '../workspace/files.ts'

/** What TypeScript says of one file: `remote-scan/src/App.tsx(12,5): error TS2304: …`. */
export type TypeProblem = string

/**
 * Checks the types of one project. What is still true since the last run is taken from there; the compiler judges that
 * by the content of files.
 *
 * @param project path of a `tsconfig.json` from the root
 */
export async function findTypeProblems(project: string, signal?: AbortSignal): Promise<TypeProblem[]> {
  const record = join(root, '.cache/types', `${dirname(project).replaceAll(/[\\/]/g, '-')}.json`)
  mkdirSync(dirname(record), { recursive: true })
  const args = ['--noEmit', '-p', project, '--pretty', 'false', '--incremental', '--tsBuildInfoFile', record]
  const { code, text } = await runProcess(node, [join(root, 'node_modules/typescript/bin/tsc'), ...args], {
    isQuiet: true,
    ...(signal && { signal }),
  })
  return code === 0 ? [] : text.trimEnd().split('\n')
}
