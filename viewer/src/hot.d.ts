interface ImportMeta {
  /** Of the development server; releases have none. */
  readonly webpackHot?: { accept(module: string, act: () => Promise<void>): void }
}
