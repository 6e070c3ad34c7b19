import type { Message } from './association.ts'
import { part10Start } from './elementWriter.ts'
import { isStorage } from './sopClasses.ts'
import { OperationRefused, status } from './status.ts'

/** The data set of a C-STORE whose command and context agree (PS3.4 annex B). Throws `OperationRefused`. */
export function assertStorable({ context, command, data }: Message): AsyncGenerator<Buffer> {
  if (!data || !isStorage(context.abstractSyntax) || command.sopClassUID !== context.abstractSyntax)
    throw new OperationRefused(status.noSuchClass, 'The object is not of the SOP class of its context.')
  return data
}

/**
 * The data set with file meta information (PS3.10), which says nothing of who sent it or when: the same object of two
 * partners is the same file.
 */
export async function* toFile({ context, command }: Message, data: AsyncGenerator<Buffer>): AsyncGenerator<Uint8Array> {
  yield part10Start({
    sopClassUID: context.abstractSyntax,
    sopInstanceUID: command.sopInstanceUID ?? '',
    transferSyntaxUID: context.transferSyntax,
  })
  // Who reads no further leaves the rest to the association, which drops it.
  for (;;) {
    const { done, value } = await data.next()
    if (done) return
    yield value
  }
}
