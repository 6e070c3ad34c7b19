import { organization } from '@dmp/contract'
import { weekdays, type AlertRules } from '@dmp/contract/organization'
import { call, updateCache } from '@dmp/kit'
import { CheckboxField, FormModal, SelectField, TextField } from '@dmp/kit/form'
import { notify } from '@dmp/kit/ui'
import { AlertRulesForm, toShortDay, toDefaults, toRules } from './alertRulesForm.ts'
import './alertRules.css'

interface AlertRulesModalProps {
  readonly id: string
  readonly rules: AlertRules
  readonly onClose: () => void
}

export function AlertRulesModal({ id, rules, onClose }: AlertRulesModalProps) {
  const zones = [...new Set([rules.timeZone, ...Intl.supportedValuesOf('timeZone'), 'UTC'])].sort()
  return (
    <FormModal
      title="Rules for alerts"
      schema={AlertRulesForm}
      defaults={toDefaults(rules)}
      call={(form: AlertRulesForm) => call(organization.setAlertRules, { id, ...toRules(form) })}
      submitLabel="Save"
      onClose={onClose}
      onDone={(answer, form) => {
        updateCache(organization.setAlertRules, { input: { id, ...toRules(form) }, answer, refreshes: [] })
        notify.success('Rules saved')
        onClose()
      }}
    >
      <p>They hold for everybody who opens patients of the organization. Each administrator chooses how to be told.</p>
      <fieldset className="alert-rule">
        <legend>Many patients in a short time</legend>
        <CheckboxField name="manyPatients" label="Tell of it" short="Tell of many patients" />
        <TextField name="patients" label="More than so many different patients" max={4} inputMode="numeric" />
        <TextField name="minutes" label="Within so many minutes" max={4} inputMode="numeric" />
      </fieldset>
      <fieldset className="alert-rule">
        <legend>Out of hours</legend>
        <CheckboxField name="outOfHours" label="Tell of it" short="Tell of patients out of hours" />
        <TextField name="outOfHoursPatients" label="From so many different patients" max={4} inputMode="numeric" />
        <fieldset className="alert-days">
          <legend>Open on</legend>
          {weekdays.map((day) => (
            <CheckboxField key={day} name={day} label={toShortDay(day)} />
          ))}
        </fieldset>
        <TextField name="from" label="From" max={5} help="Such as 07:00." />
        <TextField name="until" label="Until" max={5} help="Such as 19:00; 24:00 is midnight." />
        <SelectField
          name="timeZone"
          label="Time zone"
          options={zones.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))}
        />
      </fieldset>
      <fieldset className="alert-rule">
        <legend>A name like one’s own</legend>
        <CheckboxField
          name="ownName"
          label="Tell of it"
          short="Tell of names"
          help="The family name of the patient is that of whoever opens it, however it is spelled."
        />
      </fieldset>
    </FormModal>
  )
}
