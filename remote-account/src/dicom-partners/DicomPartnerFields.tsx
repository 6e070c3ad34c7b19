import { limits } from '@dmp/contract'
import { serviceNames } from '@dmp/contract/dicomPartner'
import { CheckboxField, PasswordField, TextAreaField, TextField } from '@dmp/kit/form'
import { serviceTexts } from './dicomPartnerForm.ts'
import './dicom-partners.css'

/** The fields of a `DicomPartnerForm`. */
export function DicomPartnerFields() {
  return (
    <>
      <TextField
        name="name"
        label="Name"
        max={limits.apiTokenNameMaxChars}
        help="The device and its place, such as “CT in room 3”. The audit trail shows it."
      />
      <TextField
        name="aeTitle"
        label="AE title"
        max={limits.aeTitleMaxChars}
        help="What the device calls itself. Upper and lower case are not the same."
      />
      <fieldset className="dicom-partner-services">
        <legend>It may (at least one)</legend>
        {serviceNames.map((service) => (
          <CheckboxField key={service} name={service} label={serviceTexts[service]} short="Services" />
        ))}
      </fieldset>
      <TextAreaField
        name="addresses"
        label="Networks"
        rows={2}
        help="Addresses or networks that it comes from, such as 10.20.3.7 or 10.20.0.0/16. May be empty where the device has a certificate."
      />
      <TextField
        name="fingerprint"
        label="Certificate (optional)"
        max={120}
        help="SHA-256 fingerprint. The device is then let in with this certificate only, by TLS."
      />
      <fieldset className="dicom-partner-services">
        <legend>Where it listens (optional)</legend>
        <TextField
          name="host"
          label="Host"
          max={limits.dicomHostMaxChars}
          help="For scans that it or others have sent to it, and for storage commitment."
        />
        <TextField name="port" label="Port" max={5} help="Often 104 or 11112." />
        <CheckboxField name="usesTls" label="It is reached by TLS" />
      </fieldset>
      <PasswordField
        name="password"
        label="Your password"
        autoComplete="current-password"
        help="A partner stays after your session, so please confirm that it is you."
      />
    </>
  )
}
