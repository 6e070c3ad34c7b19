import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { act, isAct } from './acts.ts'
import type { WindowWork } from './runWindow.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'uploader-acts-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** What the window works on, as far as these acts touch it. */
function aWork(folders: string[] = []) {
  const set: unknown[] = []
  const kept: object[] = []
  const connected: string[] = []
  const control = {
    folders,
    isDeidentifying: false,
    server: undefined,
    wake: () => undefined,
    pace: { set: (each: unknown) => set.push(each) },
  }
  const work = {
    control,
    keep: (values: object) => kept.push(values),
    connect: async (address: string) => void connected.push(address),
  }
  return { work: work as unknown as WindowWork, control, set, kept, connected }
}

const day = { from: '07:00', to: '18:00' }
it.each([
  [{ kilobytesPerSecond: 10, ...day }, undefined],
  [{ kilobytesPerSecond: 1_000_000, ...day }, undefined],
  [null, undefined],
  [{ kilobytesPerSecond: 9.9, ...day }, 'Give 10 to 1000000 kilobytes per second.'],
  [{ kilobytesPerSecond: 1_000_001, ...day }, 'Give 10 to 1000000 kilobytes per second.'],
  [{ kilobytesPerSecond: '500', ...day }, 'Give 10 to 1000000 kilobytes per second.'],
  [undefined, 'Give 10 to 1000000 kilobytes per second.'],
  [{ kilobytesPerSecond: 500, from: '7:00', to: '18:00' }, 'Give two times, such as 07:00 and 18:00.'],
  [{ kilobytesPerSecond: 500, from: '07:00', to: '24:00' }, 'Give two times, such as 07:00 and 18:00.'],
  [{ kilobytesPerSecond: 500, from: '07:00', to: 18 }, 'Give two times, such as 07:00 and 18:00.'],
])('the speed %j is kept and in force, or not taken with a sentence: %s [P56]', async (slower, sentence) => {
  const { work, set, kept } = aWork()
  expect(await act('slower', { slower }, work)).toBe(sentence)
  const taken = sentence === undefined
  expect([kept, set]).toEqual([taken ? [{ slower }] : [], taken ? [slower ?? undefined] : []])
})

it('folders are watched once each, also one of before that is gone for a while; a new one has to be there [P56]', async () => {
  const gone = path.join(folder, 'gone')
  const file = path.join(folder, 'file')
  writeFileSync(file, '')
  const { work, control, kept } = aWork([gone])
  expect(await act('folders', { folders: [gone, folder, `${folder}/.`] }, work)).toBeUndefined()
  expect([control.folders, kept]).toEqual([[gone, folder], [{ folders: [gone, folder] }]])
  for (const place of [path.join(folder, 'new'), file])
    expect(await act('folders', { folders: [folder, place] }, work)).toBe(`${place} is not a folder that can be read.`)
  for (const folders of ['all', undefined, Array.from({ length: 101 }, () => folder)])
    expect(await act('folders', { folders }, work)).toBe('Watch at most 100 folders.')
  expect(control.folders).toEqual([gone, folder])
  expect(await act('folders', { folders: Array.from({ length: 100 }, () => folder) }, work)).toBeUndefined()
})

it.each([
  [true, true],
  [false, false],
  ['yes', false],
])('de-identification asked for by %j is on: %p [P80]', async (isOn, isDeidentifying) => {
  const { work, control, kept } = aWork()
  await act('deidentify', { isOn }, work)
  expect([control.isDeidentifying, kept]).toEqual([isDeidentifying, [{ deidentify: isDeidentifying }]])
})

it('nothing else is an act [P45]', () => {
  expect(['pause', 'update', 'toString', 'constructor', ''].map(isAct)).toEqual([true, true, false, false, false])
})
