import type { Seen } from '@dmp/contract/releaseReport'

/** What the page sends in the background about releases; jsdom has no beacons. */
export class Report {
  #bodies: Blob[] = []
  text = ''

  begin(): void {
    this.#bodies = []
    this.text = ''
    Object.defineProperty(navigator, 'sendBeacon', {
      configurable: true,
      value: (_url: URL, body: Blob) => this.#bodies.push(body) > 0,
    })
  }

  get count(): number {
    return this.#bodies.length
  }

  /** Everything that was seen until now. */
  async sent(): Promise<Seen[]> {
    dispatchEvent(new Event('pagehide'))
    const texts = await Promise.all(this.#bodies.map(textOf))
    this.text = texts.join('\n')
    return texts.flatMap((text) => (JSON.parse(text) as { seen: Seen[] }).seen)
  }
}

function textOf(blob: Blob): Promise<string> {
  return new Promise((resolve) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(String(reader.result)))
    reader.readAsText(blob)
  })
}
