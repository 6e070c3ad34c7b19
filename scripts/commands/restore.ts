await import('../../server/src/restore.ts')
