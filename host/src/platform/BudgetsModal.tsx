import { exact } from '@dmp/contract/fields'
import { getFigures, setBudgets } from '@dmp/contract/releaseCalls'
import { longestTime, pageTimeKinds, type PartFigures } from '@dmp/contract/releaseFigures'
import { call, refresh } from '@dmp/kit'
import { FormModal, TextField } from '@dmp/kit/form'
import { notify } from '@dmp/kit/ui'
import * as v from 'valibot'
import { timeTexts } from './releaseLabels.ts'

const isBudget = (text: string): boolean =>
  text === '' || (/^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= longestTime)
const Most = v.pipe(
  v.string('Text.'),
  v.trim(),
  v.check(isBudget, 'Write a whole number from 1 to 60,000, or nothing.'),
)
const BudgetsForm = exact({ start: Most, firstRow: Most, inp: Most, cls: Most })
type BudgetsForm = v.InferOutput<typeof BudgetsForm>

/** How long three in four pages may need; where they need longer, the team is told. */
export function BudgetsModal({ figures: { part, budgets }, onClose }: { figures: PartFigures; onClose: () => void }) {
  const budgetOf = (kind: keyof BudgetsForm): string => String(budgets.find(({ what }) => what === kind)?.p75 ?? '')
  return (
    <FormModal
      title="Budgets"
      draft={false}
      schema={BudgetsForm}
      defaults={{
        start: budgetOf('start'),
        firstRow: budgetOf('firstRow'),
        inp: budgetOf('inp'),
        cls: budgetOf('cls'),
      }}
      call={(form: BudgetsForm) =>
        call(setBudgets, {
          part,
          budgets: pageTimeKinds.flatMap((what) => (form[what] === '' ? [] : [{ what, p75: Number(form[what]) }])),
        })
      }
      submitLabel="Save"
      onClose={onClose}
      onDone={() => {
        refresh([getFigures])
        notify.success('Budgets saved')
        onClose()
      }}
    >
      <p>
        The most that three in four pages may need, in milliseconds; for shifts in thousandths of the page. Where a
        release needs more, its team is told.
      </p>
      {pageTimeKinds.map((kind) => (
        <TextField key={kind} name={kind} label={timeTexts[kind]} inputMode="numeric" max={5} />
      ))}
    </FormModal>
  )
}
