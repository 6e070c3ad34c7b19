declare module 'postject' {
  /** Puts data into a program as a section or resource that its runtime finds by name. */
  export function inject(program: string, name: string, data: Buffer, options: { sentinelFuse: string }): Promise<void>
}
