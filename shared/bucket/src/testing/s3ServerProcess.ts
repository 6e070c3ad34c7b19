import S3rver from '@20minutes/s3rver'

/** `node s3ServerProcess.ts <folder> <bucket> [<port>]`: prints its port and serves until its input is closed. */
const [directory = '', bucket = '', wanted = '0'] = process.argv.slice(2)
const server = new S3rver({
  address: '127.0.0.1',
  port: Number(wanted),
  directory,
  silent: true,
  vhostBuckets: false,
  configureBuckets: [{ name: bucket }],
})

/** s3rver lacks `If-None-Match: *` for PUT, which S3, MinIO, Ceph and R2 support: it is added here. */
const pendingPuts = new Map<string, Promise<void>>()
server.middleware.unshift((context, next) => {
  const { path } = context
  if (context.method !== 'PUT' || context.headers['if-none-match'] !== '*') return next()
  const previousPut = pendingPuts.get(path)
  const put = async (): Promise<void> => {
    await previousPut
    const isTaken = await server.store.getMetadata(bucket, decodeURIComponent(path.slice(bucket.length + 2))).then(
      () => true,
      () => false,
    )
    if (!isTaken) return next()
    context.status = 412
    context.body = '<Error><Code>PreconditionFailed</Code></Error>'
  }
  const pendingPut = put()
  pendingPuts.set(
    path,
    pendingPut.catch(() => undefined),
  )
  return pendingPut
})
const { port } = await server.run()
process.stdout.write(`${port}\n`)
// Its parent holds its input, so it never outlives the parent.
process.stdin.on('end', () => process.exit(0)).resume()
