import { prerender } from 'react-dom/static'
import { App } from '../App.tsx'
import { findRemote } from '../remotes/prefetch.ts'
import { loadRemote } from '../remotes/loadRemote.ts'

/**
 * For whoever makes a release live (`shared/release/src/drawn/draw.process.ts`): draws the page at the address as
 * markup, from the very files that pages load. No browser of a person runs this.
 */
export function offerDrawing(): void {
  Object.assign(globalThis, { dmpDraw: draw })
}

async function draw(path: string): Promise<string> {
  const remote = findRemote(path)
  if (remote) await loadRemote(remote, './App')
  const errors: unknown[] = []
  const { prelude } = await prerender(<App />, {
    // In one piece: no script has to put it together.
    progressiveChunkSize: Number.MAX_SAFE_INTEGER,
    onError: (error: unknown) => void errors.push(error),
  } as Parameters<typeof prerender>[1])
  let markup = ''
  const decoder = new TextDecoder()
  for await (const piece of prelude as AsyncIterable<Uint8Array>) markup += decoder.decode(piece, { stream: true })
  // The library would leave the place of what failed empty.
  if (errors.length > 0) throw errors[0]
  return markup
}
