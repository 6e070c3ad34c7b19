import type { ReactNode } from 'react'
import type { Scan } from '@dmp/contract/scan'
import { dataWord, formatNumber } from '@dmp/kit'
import { CopyText, DateText, formatDate, type Fact } from '@dmp/kit/screen'
import { Flex, StatusBadge } from '@dmp/kit/ui'
import { listKnownSaas } from '../shared/listKnownSaas.ts'
import { formatAge } from './formatAge.ts'

const measured = (value: number | null, unit: string): string | null =>
  value === null ? null : `${formatNumber(value, { maximumFractionDigits: 6, useGrouping: false })} ${unit}`

/** The numbers of a text as the language writes them. */
const inLanguage = (text: string | null): string | null =>
  text &&
  text.replace(/\d{1,9}\.\d{1,9}/g, (written) =>
    formatNumber(Number(written), { maximumFractionDigits: 6, useGrouping: false }),
  )

const day = (date: string | null): string | null => date && formatDate(date, 'short')

/** A date and a time of day that belong together; either may be missing. */
const joined = (...parts: readonly (string | null)[]): string => parts.filter((part) => part !== null).join(', ')

/** 3.13: the basic facts of a scan. */
export function basicFacts(basic: Scan['basic']): Fact[] {
  const knownSaas = listKnownSaas(basic.compatibleSaas)
  return [
    { label: 'Institution Name', value: basic.institutionName },
    { label: 'Body Part Examined', value: basic.bodyPartExamined },
    { label: 'Total Slice Count', value: basic.totalSliceCount },
    { label: 'Slice Thickness', value: measured(basic.sliceThickness, 'mm') },
    { label: 'Acquisition Date', value: day(basic.acquisitionDate) },
    { label: 'Acquisition Time', value: basic.acquisitionTime },
    { label: 'Study Description', value: basic.studyDescription },
    { label: 'Series Description', value: basic.seriesDescription },
    {
      label: 'Compatible SaaS',
      value: knownSaas.length > 0 ? <SaasBadges names={knownSaas} /> : null,
    },
  ]
}

const named = ({ name, nativeName }: Scan['patient']): ReactNode =>
  nativeName === undefined ? (
    name
  ) : (
    <>
      <bdi>{name}</bdi> · <bdi>{nativeName}</bdi>
    </>
  )

/** 3.13: the patient and the physicians of a scan. */
export function patientFacts(patient: Scan['patient']): Fact[] {
  return [
    { label: 'Patient ID', value: patient.ID },
    { label: 'Patient Name', value: named(patient) },
    { label: 'Birth Date', value: day(patient.birthDate) },
    { label: 'Age', value: formatAge(patient.age) },
    { label: 'Sex', value: patient.sex && dataWord(patient.sex) },
    { label: 'Ethnicity', value: patient.ethnicity },
    { label: 'Weight', value: measured(patient.weight, 'kg') },
    { label: 'Height', value: measured(patient.height, 'm') },
    { label: 'BMI', value: measured(patient.BMI, 'kg/m²') },
    { label: 'Referring Physician', value: patient.referringPhysician },
    { label: 'Requesting Physician', value: patient.requestingPhysician },
    { label: 'Accession Number', value: patient.accessionNumber },
  ]
}

/** 3.13; dataStoreID and imageSetID are held but not shown. */
export function advancedFacts(advanced: Scan['advanced']): Fact[] {
  return [
    { label: 'StudyUID', value: <CopyText text={advanced.studyUID} label="StudyUID" /> },
    { label: 'SeriesUID', value: <CopyText text={advanced.seriesUID} label="SeriesUID" /> },
    { label: 'Series Date and Time', value: joined(day(advanced.seriesDate), advanced.seriesTime) },
    { label: 'Study Date', value: day(advanced.studyDate) },
    { label: 'Modality', value: advanced.modality },
    { label: 'Pixel Spacing', value: inLanguage(advanced.pixelSpacing) },
    { label: 'Columns', value: advanced.columns },
    { label: 'Rows', value: advanced.rows },
    { label: 'Laterality', value: advanced.laterality },
    { label: 'Device Serial Number', value: advanced.deviceSerialNumber },
    { label: 'Manufacturer', value: advanced.manufacturer },
    { label: 'Manufacturer Model Name', value: advanced.manufacturerModelName },
    { label: 'Upload Date and Time', value: <DateText value={advanced.uploadDateTime} format="moment" /> },
  ]
}

function SaasBadges({ names }: { names: readonly string[] }) {
  return (
    <Flex wrap gap={4}>
      {names.map((name) => (
        <StatusBadge key={name} value={name} plain />
      ))}
    </Flex>
  )
}
