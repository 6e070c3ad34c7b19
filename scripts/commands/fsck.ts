await import('../../server/src/fsck.ts')
