import { tag } from '@dmp/dicom'
import { commandField, responseBit, type Association, type Message } from '@dmp/dimse'
import type { JsonDataset } from '../../dicom/jsonModel.ts'
import { readDataset } from '../../dicom/readDataset.ts'
import { writeDataset } from '../../dicom/writeDataset.ts'
import { contextOf } from './nodeInTests.ts'

const explicit = { isExplicit: true, isBigEndian: false }

/** The answers to a request, until one that is not pending. */
export async function ask(
  association: Association,
  field: number,
  abstractSyntax: string,
  keys: JsonDataset,
  more = {},
) {
  const context = contextOf(association, abstractSyntax)
  await association.send(
    context,
    { field, sopClassUID: abstractSyntax, messageId: 5, priority: 0, ...more },
    writeDataset(keys, explicit),
  )
  const answers: { status: number | undefined; dataset: JsonDataset }[] = []
  const stored: string[] = []
  for (;;) {
    const message = await association.receive()
    if (!message) throw new Error('The association was released.')
    const bytes = await readMessage(message)
    if (message.command.field === commandField.storeRequest) {
      stored.push(message.command.sopInstanceUID ?? '')
      const { sopClassUID, sopInstanceUID, messageId: respondedTo } = message.command
      const answer = { field: commandField.storeRequest | responseBit, sopClassUID, sopInstanceUID, respondedTo }
      await association.send(message.context, { ...answer, status: 0 })
      continue
    }
    answers.push({
      status: message.command.status,
      dataset: await readDataset(bytes, message.context.transferSyntax),
    })
    if (message.command.status !== 0xff00) return { answers, stored }
  }
}

export async function readMessage({ data }: Message): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of data ?? []) pieces.push(piece)
  return Buffer.concat(pieces)
}

export const level = (name: string, keys: JsonDataset = {}): JsonDataset => ({
  [tag.QueryRetrieveLevel]: { vr: 'CS', Value: [name] },
  ...keys,
})
export const uid = (key: string, value: string): JsonDataset => ({ [key]: { vr: 'UI', Value: [value] } })
