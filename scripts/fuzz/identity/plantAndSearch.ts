import { CannotDeidentify } from '../../../server/src/dicom/deidentify.ts'
import { readInstanceBytes } from '../../../server/src/dicom/instance.ts'
import { DicomRefusal } from '../../../server/src/dicom/refusal.ts'
import { Random } from '../Random.ts'
import { copyOf } from './copyOf.ts'
import { listObjects } from './objects.ts'
import { makePerson } from './person.ts'
import { plant } from './plant.ts'
import { findInCopy } from './search.ts'

export interface PlantedTally {
  readonly copied: number
  /** Facts that the search finds in the originals: a search that finds none there would prove nothing. */
  readonly planted: number
  /** Objects that were not copied, by sentence: nothing of them leaks. */
  readonly refused: ReadonlyMap<string, number>
  /** What was found in a copy, with the number that makes the same object again. */
  readonly found: readonly string[]
}

/**
 * Plants what is known of a person in real objects, has each de-identified, and looks for it in the copy. Equal seeds
 * plant equal facts at equal places.
 */
export async function plantAndSearch(objects: number, seed: string): Promise<PlantedTally> {
  const samples = listObjects()
  const refused = new Map<string, number>()
  const found: string[] = []
  let [copied, planted] = [0, 0]
  for (let number = 0; number < objects; number += 1) {
    const random = new Random(seed, 'identity', number)
    const sample = samples[number % samples.length]
    if (!sample) continue
    const person = makePerson(random)
    try {
      const original = await plant(await readInstanceBytes(sample), person, random)
      planted += findInCopy(original, await readInstanceBytes(original), person).length
      const bytes = await copyOf(original, random.bytes(32))
      copied += 1
      const facts = findInCopy(bytes, await readInstanceBytes(bytes), person)
      if (facts.length > 0) found.push(`object ${number} of seed ${seed}: ${facts.join(' · ')}`)
    } catch (cause) {
      if (!(cause instanceof CannotDeidentify) && !(cause instanceof DicomRefusal)) throw cause
      refused.set(cause.message, (refused.get(cause.message) ?? 0) + 1)
    }
  }
  return { copied, planted, refused, found }
}
