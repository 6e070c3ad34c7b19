import type { UploadOwner } from './unfinishedUploads.ts'
import type { UploadStore } from './uploads/uploadStore.ts'

/** An answer that got lost is asked for within minutes. */
export const outcomeLimits = { perPerson: 1000, perOrganization: 5000 }

type Files = Pick<UploadStore, 'remove' | 'listOutcomes'>

/**
 * What became of finished uploads, kept for a day for whoever did not get the answer: the latest of each person, and of
 * an organization as many; there whoever has the most gives way, so that nobody pushes out what others wait for.
 */
export class KeptOutcomes {
  readonly #files: Files
  readonly #limits: typeof outcomeLimits
  /** By organization and person, the oldest first. */
  readonly #kept = new Map<string, Map<string, Set<string>>>()

  constructor(files: Files, limits = outcomeLimits) {
    this.#files = files
    this.#limits = limits
  }

  /** Takes over what lies on the disk. */
  async refresh(): Promise<void> {
    const outcomes = await this.#files.listOutcomes()
    this.#kept.clear()
    for (const { id, owner } of outcomes) this.#peopleOf(owner).get(owner.userId)?.add(id)
    for (const organizationId of this.#kept.keys()) await this.#dropTooMany(organizationId)
  }

  async add(id: string, owner: UploadOwner): Promise<void> {
    this.#peopleOf(owner).get(owner.userId)?.add(id)
    await this.#dropTooMany(owner.organizationId)
  }

  #peopleOf({ organizationId, userId }: UploadOwner): Map<string, Set<string>> {
    const people = this.#kept.get(organizationId) ?? new Map<string, Set<string>>()
    this.#kept.set(organizationId, people)
    if (!people.has(userId)) people.set(userId, new Set())
    return people
  }

  async #dropTooMany(organizationId: string): Promise<void> {
    const people = [...(this.#kept.get(organizationId)?.values() ?? [])]
    const dropped = people.flatMap((own) => takeOldest(own, own.size - this.#limits.perPerson))
    const count = (): number => people.reduce((sum, own) => sum + own.size, 0)
    while (count() > this.#limits.perOrganization) {
      const most = people.reduce((one, other) => (other.size > one.size ? other : one))
      dropped.push(...takeOldest(most, 1))
    }
    for (const id of dropped) await this.#files.remove(id)
  }
}

function takeOldest(ids: Set<string>, count: number): string[] {
  const oldest = [...ids].slice(0, Math.max(0, count))
  for (const id of oldest) ids.delete(id)
  return oldest
}
