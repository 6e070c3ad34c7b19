declare module '@20minutes/s3rver' {
  import type { AddressInfo } from 'node:net'

  interface Context {
    readonly method: string
    readonly path: string
    readonly headers: Readonly<Record<string, string | undefined>>
    status: number
    body: unknown
  }
  export default class S3rver {
    constructor(options: {
      address: string
      port: number
      directory: string
      silent: boolean
      vhostBuckets?: boolean
      configureBuckets: { name: string }[]
    })
    readonly middleware: ((context: Context, next: () => Promise<void>) => Promise<void>)[]
    readonly store: { getMetadata(bucket: string, key: string): Promise<unknown> }
    run(): Promise<AddressInfo>
    close(): Promise<void>
  }
}
