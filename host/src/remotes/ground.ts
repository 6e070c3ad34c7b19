/** A part that begins: who it is, and where a page that cannot answer any more is told of. */
interface Beginning {
  readonly id: string
  readonly part: string
  readonly releaseId: string
  readonly report: string
}

/** What the server's first script of a page keeps (`server/src/gateway/pageGround.browser.js`). */
interface Ground {
  /** The part whose script is the innermost one on the stack; empty where it is the host's, or nobody's. */
  findPart(): string
  /** From now on this part may name the page. */
  enter(part: string): void
  /** Returns what takes away whatever the part has put on the page until now, and names it. */
  leave(part: string): () => readonly string[]
  /** Who decides whether the page, or a window of it, may go to another site: asked once, and by the host. */
  guard(mayGo: (to: URL, part: string) => boolean): void
  /** A worker asks the page for a sign of life until this ends. */
  begin(beginning: Beginning): void
  end(id: string): void
}

/** Undefined in pages that are not the server's. */
export const ground = (): Ground | undefined => (globalThis as { dmpGround?: Ground }).dmpGround
