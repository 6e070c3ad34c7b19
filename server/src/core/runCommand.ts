import { StartFailure } from './StartFailure.ts'

/** Does the work of a command of the operator; what goes wrong is sentences and exit code 1, never a stack. */
export async function runCommand(work: () => Promise<void>, toSentence: (reason: string) => string): Promise<void> {
  try {
    await work()
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    const sentences = cause instanceof StartFailure ? cause.sentences : [toSentence(reason)]
    process.stderr.write(`${sentences.join('\n')}\n`)
    process.exit(1)
  }
}
