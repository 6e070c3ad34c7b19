import type { Reservation } from '../../core/byteBudget.ts'
import type { RowsText } from '../../dicom/headerTasks.ts'
import { readingLimits } from '../../dicom/limits.ts'

/**
 * The text of the next rows, in pieces, so that no more of it is in memory than `reservation` holds: the memory of a
 * text that is longer than others is waited for before the text leaves its thread. `separator` comes before it. Returns
 * how many rows it has.
 */
export async function* writeRowsText(
  reservation: Reservation,
  separator: string,
  write: (maxBytes: number) => Promise<RowsText>,
): AsyncGenerator<Uint8Array, number> {
  let written = await write(readingLimits.headerTextBytes)
  if (written.rows === 0) {
    const { neededBytes } = written
    await reservation.resize(Math.max(neededBytes + readingLimits.headerPageBytes, readingLimits.headersBytes))
    written = await write(neededBytes)
  }
  const { text, rows } = written
  // Only now: what comes before the first piece of a response still can be refused.
  yield Buffer.from(separator)
  for (let at = 0; at < text.length; at += readingLimits.textPieceBytes)
    // A copy: a view of the last piece would keep the whole text in memory while the next one is made.
    yield Buffer.from(text.subarray(at, at + readingLimits.textPieceBytes))
  await reservation.resize(readingLimits.headersBytes)
  return rows
}
