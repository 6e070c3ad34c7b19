// A copy needs none of the secrets that production mode asks for, and nothing of the demo is made here.
process.env.DMP_DEMO ??= '1'
await import('../../server/src/backup.ts')
