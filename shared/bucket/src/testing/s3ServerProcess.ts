import S3rver from '@20minutes/s3rver'

/** `node s3ServerProcess.ts <folder> <bucket>`: says its port on a line and serves until it is ended. */
const [directory = '', bucket = ''] = process.argv.slice(2)
const server = new S3rver({
  address: '127.0.0.1',
  port: 0,
  directory,
  silent: true,
  vhostBuckets: false,
  configureBuckets: [{ name: bucket }],
})

/** It does not know `If-None-Match: *` of PUT, which S3 itself, MinIO, Ceph and R2 have: that one answer is added here. */
const taking = new Map<string, Promise<void>>()
server.middleware.unshift((context, next) => {
  const { path } = context
  if (context.method !== 'PUT' || context.headers['if-none-match'] !== '*') return next()
  const before = taking.get(path)
  const answer = async (): Promise<void> => {
    await before
    const isTaken = await server.store.getMetadata(bucket, decodeURIComponent(path.slice(bucket.length + 2))).then(
      () => true,
      () => false,
    )
    if (!isTaken) return next()
    context.status = 412
    context.body = '<Error><Code>PreconditionFailed</Code></Error>'
  }
  const mine = answer()
  taking.set(
    path,
    mine.catch(() => undefined),
  )
  return mine
})
const { port } = await server.run()
process.stdout.write(`${port}\n`)
// Whoever started it holds its input: it never outlives them.
process.stdin.on('end', () => process.exit(0)).resume()
