import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { FileStore } from '@tus/file-store'
import { objectOf } from '../../testing/callsFromOutside.ts'
import { startServer, type SignedIn } from '../../testing/server.ts'
import { KeptOutcomes, outcomeLimits } from './keptOutcomes.ts'
import { UnfinishedUploads } from './unfinishedUploads.ts'

/** Files of outcomes in memory, the oldest first. */
function fakeFiles() {
  const ids: { id: string; owner: { userId: string; organizationId: string } }[] = []
  return {
    ids,
    listOutcomes: async () => ids,
    remove: async (id: string) =>
      void ids.splice(
        ids.findIndex((file) => file.id === id),
        1,
      ),
  }
}

describe('what became of finished uploads', () => {
  it('is kept of each person alone; whoever has the most gives way within an organization [P18, P19, P63]', async () => {
    const files = fakeFiles()
    const outcomes = new KeptOutcomes(files, { perPerson: 4, perOrganization: 6 })
    const finish = async (id: string, userId: string, organizationId = 'north') => {
      files.ids.push({ id, owner: { userId, organizationId } })
      await outcomes.add(id, { userId, organizationId })
    }
    await finish('s1', 'sara', 'south')
    for (const number of [1, 2, 3]) await finish(`a${number}`, 'anna')
    for (let number = 1; number <= 20; number += 1) await finish(`b${number}`, 'ben')
    const kept = () => files.ids.map(({ id }) => id)
    expect(kept()).toEqual(['s1', 'a1', 'a2', 'a3', 'b18', 'b19', 'b20'])
    // A server that starts anew goes on from the disk, with what an earlier version left too many of.
    for (let number = 21; number <= 30; number += 1)
      files.ids.push({ id: `b${number}`, owner: { userId: 'ben', organizationId: 'north' } })
    await new KeptOutcomes(files, { perPerson: 4, perOrganization: 6 }).refresh()
    expect(kept()).toEqual(['s1', 'a1', 'a2', 'a3', 'b28', 'b29', 'b30'])
  })

  it('takes no room of uploads that begin, and the oldest is forgotten first [P18, P19, P63]', async () => {
    const limits = jest.replaceProperty(outcomeLimits, 'perPerson', 2)
    const server = await startServer({ DMP_UPLOADS_PER_PERSON: '2' })
    const url = await server.listen()
    const staff: SignedIn = await server.signIn('staff')
    const directory = join(server.deps.settings.dataDir, 'uploads')
    const send = async (number: number): Promise<string> => {
      const bytes = objectOf('1.97', number)
      const headers = { 'tus-resumable': '1.0.0', ...staff.headers }
      const { headers: begun } = await fetch(`${url}/api/Scan/uploads`, {
        method: 'POST',
        headers: { ...headers, 'upload-length': String(bytes.length) },
      })
      const path = begun.get('location') ?? ''
      const sent = await fetch(url + path, {
        method: 'PATCH',
        headers: { ...headers, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
        body: new Uint8Array(bytes),
      })
      expect(sent.status).toBe(204)
      return path.split('/').at(-1) ?? ''
    }
    try {
      const ids: string[] = []
      for (const number of [1, 2, 3, 4]) ids.push(await send(number))
      expect(readdirSync(directory).sort()).toEqual([`${ids[2]}.json`, `${ids[3]}.json`].sort())
      // As a server finds them when it starts, and each hour: two finished ones are no unfinished ones.
      const unfinished = new UnfinishedUploads(server.deps.settings, new FileStore({ directory }))
      await unfinished.refresh()
      expect(unfinished.count()).toBe(0)
    } finally {
      await server.close()
      limits.restore()
    }
  })
})
