import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toBucketAccess } from '@dmp/release/store/openStore'
import { findFileVariable, readSettings } from './settings.ts'
import { settingsTable } from './settingsTable.ts'
import type { StartFailure } from '../core/StartFailure.ts'

const folder = mkdtempSync(join(tmpdir(), 'dmp-secrets-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const values: Readonly<Record<string, string>> = {
  DATABASE_URL: 'postgres://dmp:canary-word@db.example/dmp',
  DATABASE_DIRECT_URL: 'postgres://dmp:canary-word@db.example/dmp',
  DATABASE_READ_URL: 'postgres://dmp:canary-word@db.example/dmp',
  SMTP_URL: 'smtps://dmp:canary-word@mail.example',
  DMP_SIGNING_KEY: generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
}
/** What a secret is nothing without. */
const besides: Readonly<Record<string, Record<string, string>>> = {
  DATABASE_DIRECT_URL: { DATABASE_URL: 'postgres://dmp@db.example/dmp' },
  DATABASE_READ_URL: { DATABASE_URL: 'postgres://dmp@db.example/dmp' },
}
const valueOf = (name: string): string => values[name] ?? 'canary-word-'.repeat(4)
const fileWith = (name: string, content: string): string => {
  const file = join(folder, name)
  writeFileSync(file, content)
  return file
}
const problems = (variables: Record<string, string>): readonly string[] => {
  try {
    readSettings({ DMP_DEMO: '1', ...variables })
    return []
  } catch (cause) {
    return (cause as StartFailure).sentences
  }
}

const secrets = Object.entries(settingsTable).flatMap(([key, setting]) => {
  const variable = findFileVariable(setting)
  return variable === undefined ? [] : [{ key: key as keyof typeof settingsTable, name: setting.name, variable }]
})

it('covers every secret of the table, but the one that has a setting of its own', () => {
  const all = Object.values(settingsTable).filter((setting) => 'isSecret' in setting)
  expect(all.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['DATABASE_URL', 'SMTP_URL', 'DMP_SECRET', 'DMP_SIGNING_KEY', 'DMP_AUDIT_KEYS']),
  )
  expect(all.length - secrets.length).toBe(1)
  expect(findFileVariable(settingsTable.encryptionKey)).toBeUndefined()
  expect(findFileVariable(settingsTable.port)).toBeUndefined()
})

describe.each(secrets)('$variable', ({ key, name, variable }) => {
  const value = valueOf(name)

  it('is read in place of the variable, without the line break at its end [P23]', () => {
    const [direct, filed] = [{ [name]: value }, { [variable]: fileWith(name, `${value.trimEnd()}\n`) }].map(
      (variables) => readSettings({ DMP_DEMO: '1', ...besides[name], ...variables })[key],
    )
    expect(filed).toEqual(direct)
    expect(filed).toBeDefined()
  })

  it.each([
    ['is given twice', () => ({ [name]: value, [variable]: fileWith(name, value) }), 'are both set. Keep one of them.'],
    [
      'cannot be read',
      () => ({ [variable]: join(folder, 'canary-word') }),
      'cannot be read (ENOENT). Make it readable',
    ],
    ['is empty', () => ({ [variable]: fileWith(name, ' \n') }), 'is empty. Write the secret into it.'],
  ])('is refused when it %s, by name and without its content [P23]', (_what, variables, sentence) => {
    const found = problems({ ...besides[name], ...variables() })
    expect(found).toEqual([expect.stringContaining(sentence)])
    expect(found[0]).toContain(variable)
    expect(found[0]).not.toContain('canary-word')
  })
})

it('says once what is wrong with a file that production needs', () => {
  const secretFile = { DMP_SECRET_FILE: join(folder, 'none') }
  expect(problems({ DMP_DEMO: '', ...secretFile }).filter((sentence) => sentence.includes('DMP_SECRET'))).toHaveLength(
    1,
  )
})

it('does not take a file for what is no secret', () => {
  expect(problems({ DMP_HOST_FILE: '/etc/hostname' })).toEqual([
    'DMP_HOST_FILE is not a setting. The settings are listed in docs/operations.md.',
  ])
})

it('holds for the bucket of releases, too, which other commands read', () => {
  const access = toBucketAccess({
    DMP_S3_ACCESS_KEY_ID_FILE: fileWith('id', 'the-id\n'),
    DMP_S3_SECRET_ACCESS_KEY_FILE: fileWith('key', 'the-key\n'),
  })
  expect(access).toMatchObject({ accessKeyId: 'the-id', secretAccessKey: 'the-key' })
})
