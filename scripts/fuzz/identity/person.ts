import type { Random } from '../Random.ts'

/** A fact about a person, as the object's own attributes state it, and how people write it elsewhere. */
export interface Person {
  /** As DICOM writes it. */
  readonly name: string
  readonly id: string
  readonly birthDate: string
  readonly accession: string
  readonly address: string
  readonly phone: string
  readonly uids: { readonly study: string; readonly series: string; readonly instance: string; readonly frame: string }
  /** Everything that may be planted; none of it may be found in the copy. */
  readonly writings: readonly [string, ...string[]]
}

const families = [
  'Okonkwo',
  'Müller',
  'Meier-Lüdenscheidt',
  'Li',
  'Ng',
  'Ćwiklińska',
  'Nguyễn',
  'García',
  'Øster',
  'Xu',
]
const givens = ['Zoë', 'Na', 'Bo', 'Siân', 'Jörg', 'Aurelia', 'An', 'Łucja', 'Ifeanyi', 'Mei']
const streets = ['Lindenstrasse', 'Rosengasse', 'Maplewood', 'Quaistrasse']
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

const pick = (random: Random, values: readonly string[]): string => values[random.below(values.length)] ?? ''
const digits = (random: Random, length: number): string =>
  Array.from({ length }, (_, at) => String(at === 0 ? 1 + random.below(9) : random.below(10))).join('')
const unaccented = (text: string): string =>
  text.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('Ø', 'O').replaceAll('Ł', 'L').replaceAll('ł', 'l')
const spelled = (text: string): string =>
  unaccented(text.replaceAll('ü', 'ue').replaceAll('ö', 'oe').replaceAll('ë', 'e'))

function listNames(family: string, given: string): string[] {
  const forms = [
    `${given} ${family}`,
    `${family}, ${given}`,
    `${family}^${given}`,
    `${family}_${given}`,
    `${given}.${family}`,
  ]
  const halves = family.split('-').filter((half) => half.length > 3)
  const longWords = [family, given, ...halves].filter((word) => unaccented(word).length > 3)
  return [...forms, ...longWords, `Mr. ${family}`, `scan of ${given} ${family}!`]
}

function listDates(date: string): string[] {
  const [y, m, d] = [date.slice(0, 4), date.slice(4, 6), date.slice(6)]
  const name = months[Number(m) - 1] ?? ''
  return [
    date,
    `${y}-${m}-${d}`,
    `${y}/${m}/${d}`,
    `${d}.${m}.${y}`,
    `${d}/${m}/${y}`,
    `${m}/${d}/${y}`,
    `${d}.${m}.${y.slice(2)}`,
    `${Number(d)} ${name} ${y}`,
    `${name} ${Number(d)}, ${y}`,
    `${d}-${name.toUpperCase()}-${y}`,
    `born ${y}-${m}-${d}T08:15`,
  ]
}

const uid = (random: Random): string => `1.3.6.1.4.1.${digits(random, 5)}.${digits(random, 8)}.${digits(random, 6)}`

/** A person by chance, with all that is written of them. */
export function makePerson(random: Random): Person {
  const [family, given] = [pick(random, families), pick(random, givens)]
  const names = listNames(family, given)
  const [idDigits, accessionDigits] = [digits(random, 8), digits(random, 7)]
  const birthDate = `19${digits(random, 2)}${months.length - random.below(3)}${10 + random.below(19)}`
  const street = `${pick(random, streets)} ${1 + random.below(90)}`
  const phone = ['+49', digits(random, 2), digits(random, 3), digits(random, 4)]
  const uids = { study: uid(random), series: uid(random), instance: uid(random), frame: uid(random) }
  return {
    name: `${family}^${given}`,
    id: `PID-${idDigits}`,
    birthDate,
    accession: `ACC${accessionDigits}`,
    address: `${street}, 10969 Berlin`,
    phone: phone.join(' '),
    uids,
    writings: [
      names[0] ?? family,
      ...names,
      ...names.map(unaccented),
      ...names.map(spelled).map((name) => name.toUpperCase()),
      `PID-${idDigits}`,
      `pid ${idDigits}`,
      idDigits,
      `${idDigits.slice(0, 4)}-${idDigits.slice(4)}`,
      `ACC${accessionDigits}`,
      `acc-${accessionDigits}`,
      ...listDates(birthDate),
      street,
      `${street}, 10969 Berlin`,
      phone.join(' '),
      phone.join(''),
      `0${phone.slice(1).join('/')}`,
      ...Object.values(uids).flatMap((value) => [
        value,
        `https://pacs.example/studies/${value}/series`,
        `see ${value}.`,
      ]),
    ],
  }
}
