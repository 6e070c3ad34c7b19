import { randomBytes } from 'node:crypto'
import { globSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { S3Server } from '@dmp/bucket/testing'
import pg from 'pg'
import { testDatabaseUrl } from '../settings/settings.ts'
import { callsAt, type OutsideCalls } from './callsFromOutside.ts'
import { startChild, type Child, type Ended } from './childServer.ts'
import { prepareFolder } from './prepared.ts'

export type Variables = Record<string, string>
export type PlaceKind = 'folder' | 'segments' | 'encrypted bucket' | 'PostgreSQL'

/** Installations that are backed up and restored, each in a place of its own; `end` leaves nothing of them. */
export class BackedUpPlaces {
  readonly work = mkdtempSync(join(tmpdir(), 'dmp-backup-'))
  readonly #databases: string[] = []
  readonly #children: Child[] = []

  /** One statement, in the PostgreSQL of the tests. */
  async ask<T extends object>(statement: string): Promise<T[]> {
    const client = new pg.Client({ connectionString: testDatabaseUrl() })
    await client.connect()
    try {
      return (await client.query<T>(statement)).rows
    } finally {
      await client.end()
    }
  }

  /** The one that is backed up. A demo was started on its folder before, where that holds the database. */
  async makeOriginal(kind: PlaceKind, keys: Variables = {}, s3?: S3Server): Promise<Variables> {
    const place = await this.makeEmpty(kind, 'original', keys, s3)
    if (kind === 'folder') await prepareFolder(place.DMP_DATA_DIR ?? '')
    return place
  }

  /** An empty place for an installation; keys are what an operator holds elsewhere. */
  async makeEmpty(kind: PlaceKind, name: string, keys: Variables = {}, s3?: S3Server): Promise<Variables> {
    return {
      DMP_DEMO: '1',
      DMP_DATA_DIR: join(this.work, kind, name),
      DMP_DISK_NOTICE_MB: '0',
      ...keys,
      ...(kind === 'segments' && { DMP_APPEND_OBJECTS: '1' }),
      ...(kind === 'encrypted bucket' && { ...s3?.variables, DMP_S3_PREFIX: `${name}/` }),
      ...(kind === 'PostgreSQL' && { DATABASE_URL: await this.#makeDatabase() }),
    }
  }

  async #makeDatabase(): Promise<string> {
    const name = `dmp_backup_${randomBytes(6).toString('hex')}`
    this.#databases.push(name)
    await this.ask(`create database ${name}`)
    const url = new URL(testDatabaseUrl() ?? '')
    url.pathname = `/${name}`
    return url.href
  }

  async whileItRuns(variables: Variables, act: (calls: OutsideCalls) => Promise<void>): Promise<void> {
    const child = startChild(variables)
    this.#children.push(child)
    await act(callsAt((await child.ready).replace('localhost', '127.0.0.1')))
    child.process.kill('SIGTERM')
    expect((await child.ended).code).toBe(0)
  }

  async end(): Promise<void> {
    for (const child of this.#children) child.process.kill('SIGKILL')
    await Promise.all(this.#children.map(({ ended }) => ended))
    for (const name of this.#databases) await this.ask(`drop database if exists ${name} with (force)`)
    rmSync(this.work, { recursive: true, force: true })
  }
}

export const runCommand = (
  variables: Variables,
  name: 'backup' | 'restore' | 'fsck',
  ...args: string[]
): Promise<Ended> => startChild(variables, `${name}.ts`, args).ended

/** The numbers of the objects of study 1.92 whose headers somebody of the clinic gets back. */
export async function readBack({ ask, signIn }: OutsideCalls): Promise<number[]> {
  const headers = { ...(await signIn()), accept: 'application/dicom+json' }
  const { status, text } = await ask('GET', '/dicom-web/studies/1.92/metadata', headers)
  if (status !== 200) return []
  return (JSON.parse(text) as Record<string, { Value: string[] }>[])
    .map((one) => Number(one['00080018']?.Value[0]?.split('.').at(-1)))
    .toSorted((one, other) => one - other)
}

/** How many objects a backup says that it wrote. */
export const countNew = ({ out }: Ended): number => Number(/(\d+) objects are new/.exec(out)?.[1])

/** The backups in a folder, oldest first. */
export const setsIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => /^\d{4}-/.test(name))
    .toSorted()

/** The files of objects, of all backups in a folder. */
export const bytesIn = (folder: string): string[] =>
  globSync('objects/**/*', { cwd: folder })
    .filter((path) => statSync(join(folder, path)).isFile())
    .toSorted()
