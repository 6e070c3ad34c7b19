import type { FastifyReply } from 'fastify'

/**
 * Responses under way, by download. Each has one: whoever continues a download has lost the line of the one before,
 * which the server may not know yet, and parallel rests would be parallel copies.
 */
export class DownloadStreams {
  readonly #replies = new Map<string, FastifyReply['raw']>()

  begin(download: string, { raw }: FastifyReply): void {
    this.#replies.get(download)?.destroy()
    this.#replies.set(download, raw)
    raw.once('close', () => {
      if (this.#replies.get(download) === raw) this.#replies.delete(download)
    })
  }
}
