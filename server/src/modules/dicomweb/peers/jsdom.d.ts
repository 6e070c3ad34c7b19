/** The part that we use. Its own types bring those of all browsers, which would then hold for the server. */
declare module 'jsdom' {
  export class JSDOM {
    constructor(html: string, options: { url: string })
    readonly window: { readonly XMLHttpRequest: unknown; close(): void }
  }
}
