import type { Letter } from '../../../outside/letter.ts'
import type { NewError, News, SpentBudget, TakenBack } from './news.ts'

interface Reader {
  readonly to: string
  readonly part: string
  readonly address: string
}

/** Tells the team of a part what is new, in one mail. */
export const newsMail = ({ to, part, address }: Reader, news: News): Letter => ({
  to,
  subject: news.takenBack.length > 0 ? `A release of ${part} was taken back` : `News of ${part}`,
  paragraphs: [
    ...news.takenBack.map((taken) => sayTakenBack(part, taken)),
    ...news.spent.map(saySpent),
    ...(news.errorCount === 0
      ? []
      : [
          news.errorCount === 1
            ? `Pages told of an error of ${part} that is new.`
            : `Pages told of ${news.errorCount} errors of ${part} that are new.`,
        ]),
  ],
  ...(news.errors.length === 0 ? {} : { quote: news.errors.map(sayError).join('\n') }),
  link: { label: 'Open the page of the part', address },
  afterwards: [
    `You get this because your address was registered for ${part}. Your team ends it with: npm run release -- notices ${part} --off`,
  ],
})

function sayTakenBack(part: string, { change, isAutomatic }: TakenBack): string {
  if (change === 'stop')
    return isAutomatic
      ? `The canary of ${part} failed on people's pages and was stopped automatically.`
      : `Somebody stopped the canary of ${part}.`
  return isAutomatic
    ? `The live release of ${part} failed on people's pages and was rolled back automatically.`
    : `Somebody rolled ${part} back to the release before.`
}

function saySpent(spent: SpentBudget): string {
  const { what, releaseId, budget } = spent
  if (what === 'errors')
    return `Release ${releaseId} failed on ${spent.percent} % of its pages; its budget is ${budget} %. It goes to no more people.`
  if (what === 'start')
    return `Three in four pages need up to ${spent.p75} ms until release ${releaseId} stands; its budget is ${budget} ms.`
  if (what === 'firstRow')
    return `Three in four pages need up to ${spent.p75} ms until release ${releaseId} shows its first data; its budget is ${budget} ms.`
  if (what === 'inp')
    return `Three in four pages need up to ${spent.p75} ms to answer a click in release ${releaseId}; its budget is ${budget} ms.`
  return `Release ${releaseId} moves what people look at by up to ${spent.p75} thousandths of the page; its budget is ${budget}.`
}

const sayError = ({ name, message, place }: NewError): string =>
  `${name}: ${message}${place === null ? '' : ` (${place.file}:${place.line}:${place.column})`}`
