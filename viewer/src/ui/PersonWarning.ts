import type { Study } from '../study/Study.ts'
import { element } from './element.ts'
import { personText } from './studyGroups.ts'
import type { Workspace } from './Workspace.ts'

const differentText = () => 'The images beside each other are of different patients.'
const unclearText = () => 'The images beside each other may be of different patients.'
const ofImageText = (number: number, person: string): string => `Image ${number}: ${person}`

/**
 * A line above the pictures while the panes do not show one person alone: whoever compares must not take somebody
 * else's images for earlier ones.
 */
export class PersonWarning {
  readonly root = element('div', { class: 'banner', role: 'alert', hidden: true })
  #written = ''

  constructor(workspace: Workspace) {
    workspace.onChange(() => this.#show(workspace))
  }

  #show({ study, shown }: Workspace): void {
    const studyUids = shown.map(({ studyUid }) => studyUid)
    const sentence = sayWhatDiffers(study, [...new Set(studyUids)])
    this.root.hidden = sentence === undefined
    const persons = studyUids.map((uid, at) => ofImageText(at + 1, personText(study.subjectOf(uid))))
    const lines = sentence === undefined ? [] : [sentence, ...persons]
    // Written only where it changed: it is announced then.
    if (this.#written === lines.join('\n')) return
    this.#written = lines.join('\n')
    this.root.replaceChildren(...lines.map((line) => element('p', { dir: 'auto' }, line)))
  }
}

function sayWhatDiffers(study: Study, [first = '', ...others]: readonly string[]): string | undefined {
  const relations = new Set(others.map((uid) => study.personsOf(first, uid)))
  return relations.has('different') ? differentText() : relations.has('unclear') ? unclearText() : undefined
}
