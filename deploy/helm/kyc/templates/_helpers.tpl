{{- define "kyc.name" -}}{{ .Release.Name | trunc 40 | trimSuffix "-" }}{{- end -}}

{{- define "kyc.selector" -}}
app.kubernetes.io/name: kyc
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "kyc.labels" -}}
{{ include "kyc.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end -}}

{{- define "kyc.image" -}}{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}{{- end -}}

{{- define "kyc.pod" -}}
serviceAccountName: {{ include "kyc.name" . }}
automountServiceAccountToken: false
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{ toYaml . | nindent 2 }}
{{- end }}
volumes:
  - name: data
    emptyDir: {}
  - name: tmp
    emptyDir: {}
  - name: keys
    secret: { secretName: {{ .Values.secrets.keys }}, defaultMode: 0440 }
  {{- with .Values.secrets.authorities }}
  - name: authorities
    secret: { secretName: {{ . }}, defaultMode: 0444 }
  {{- end }}
{{- end -}}

{{- define "kyc.container" -}}
image: {{ include "kyc.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
volumeMounts:
  - { name: data, mountPath: /data }
  - { name: tmp, mountPath: /tmp }
  - { name: keys, mountPath: /run/keys, readOnly: true }
  {{- if .Values.secrets.authorities }}
  - { name: authorities, mountPath: /run/ca, readOnly: true }
  {{- end }}
{{- end -}}

{{- define "kyc.settings" -}}
KEY_FILE: /run/keys/keys.json
MANAGEMENT_PORT: '9090'
{{- range $name, $value := .Values.config }}
{{- /* Helm reads numbers as floats, and would print those from a million on as 1e+06. */}}
{{ $name }}: {{ ternary (printf "%.0f" $value) (toString $value) (and (kindIs "float64" $value) (eq (toString $value) (toString (floor $value)))) | quote }}
{{- end }}
{{- end -}}
