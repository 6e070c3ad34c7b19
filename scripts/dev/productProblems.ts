type Finder = 'page' | 'server' | 'types'

/** What is wrong with the product of `npm run dev`, by who found it: for open pages, and for requests. */
export class ProductProblems {
  /** Called with all that is wrong, whenever that changes. */
  onChange: (problems: readonly string[]) => void = () => undefined
  readonly #found: Record<Finder, string> = { page: '', server: '', types: '' }

  /** Replaces what this finder found before; nothing where all is well. */
  note(finder: Finder, found: readonly string[]): void {
    const text = found.join('\n\n')
    if (this.#found[finder] === text) return
    this.#found[finder] = text
    this.onChange(Object.values(this.#found).filter((each) => each !== ''))
  }

  /** Why no request can be answered; wrong types keep nobody from an answer. */
  ofAnswers(): string | undefined {
    return this.#found.page || this.#found.server || undefined
  }
}
