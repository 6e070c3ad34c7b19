/**
 * The reason why the server cannot start, in sentences for its operator: what is wrong and what cures it. Printed
 * without a stack.
 */
export class StartFailure extends Error {
  readonly sentences: readonly string[]

  constructor(...sentences: string[]) {
    super(sentences.join('\n'))
    this.name = 'StartFailure'
    this.sentences = sentences
  }
}
