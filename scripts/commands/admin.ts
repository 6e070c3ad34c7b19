await import('../../server/src/admin.ts')
