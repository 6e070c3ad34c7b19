import { settings } from '@dmp/kit'
import { Screen } from '@dmp/kit/screen'
import { Card } from '@dmp/kit/ui'

/** 2.08: a static page with placeholder text until the company's lawyers deliver theirs. */
export function TermsScreen() {
  const { applicationName, company } = settings()
  return (
    <Screen title="Terms and Conditions">
      <Card>
        <p>
          These terms and conditions apply to the use of {applicationName}, provided by {company.name}.
        </p>
        <h2>1. Use of the platform</h2>
        <p>
          This is placeholder text. The platform may be used by the staff of customer organizations for the purpose
          agreed with their organization.
        </p>
        <h2>2. Data protection</h2>
        <p>
          This is placeholder text. Imaging data remains the property of the organization that uploaded it and is
          processed on its behalf.
        </p>
        <h2>3. Liability</h2>
        <p>This is placeholder text. The platform is not for clinical use.</p>
      </Card>
    </Screen>
  )
}
