/**
 * The attributes that this product removes beyond the standard's table, and the few attributes that it keeps although
 * their group goes. Reviewed by the privacy officer like the table itself (`basicProfile.json`).
 */
export interface WholeGroup {
  /** The group's four digits; `X` stands for any digit. */
  readonly group: string
  readonly name: string
  readonly why: string
}

/** Groups whose every attribute is removed, also those that no edition of the table names yet. */
export const wholeGroups: readonly WholeGroup[] = [
  { group: '0010', name: 'Patient', why: 'says who was examined' },
  { group: '0016', name: 'Camera', why: 'says where and with whose camera a picture was taken' },
  { group: '0032', name: 'Study request', why: 'says who asked for the examination, and why' },
  { group: '0038', name: 'Visit', why: 'says when and where the patient was in hospital' },
  { group: '4008', name: 'Results and interpretation', why: 'is a report about the patient in free text' },
  { group: '50XX', name: 'Curves', why: 'may hold drawn text' },
  { group: '60XX', name: 'Overlays', why: 'may hold drawn text' },
]

/** Single attributes that are removed although no row of the table names them. */
export const removedAttributes: ReadonlyMap<string, string> = new Map([
  ['00401006', 'Placer Order Number of the Procedure (retired)'],
  ['00401007', 'Filler Order Number of the Procedure (retired)'],
  ['00402006', 'Placer Order Number of the Imaging Service Request (retired)'],
  ['00402007', 'Filler Order Number of the Imaging Service Request (retired)'],
  ['0040B020', 'Waveform Annotation Sequence: notes in free text'],
  ['0040A492', 'Completion Flag Description: a remark about a report'],
  ['00081190', 'Retrieve URL: names the original'],
  ['0040E010', 'Retrieve URI: names the original'],
  ['00404073', 'Storage URL: names the original'],
  ['00287FE0', 'Pixel Data Provider URL: names the original'],
])

/** Attributes of these groups that say something about the image and nothing about a person. */
export const keptAttributes: ReadonlyMap<string, string> = new Map([
  ['00102201', 'Patient Species Description'],
  ['00102202', 'Patient Species Code Sequence'],
  ['00102292', 'Patient Breed Description'],
  ['00102293', 'Patient Breed Code Sequence'],
  ['00321064', 'Requested Procedure Code Sequence'],
])
