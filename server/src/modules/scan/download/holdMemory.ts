import type { FastifyReply } from 'fastify'
import type { Turn } from '../../../core/fairTurns.ts'
import type { Dependencies } from '../../../dependencies.ts'

/** For as long as the response goes on, also where its line breaks meanwhile. */
export async function holdMemory(
  { memory }: Pick<Dependencies, 'memory'>,
  turn: Turn,
  { raw }: FastifyReply,
  bytes: number,
): Promise<void> {
  const reservation = await memory.reserve(turn, bytes)
  for (const event of ['finish', 'close'] as const) raw.once(event, () => reservation.release())
  if (raw.destroyed) reservation.release()
}
