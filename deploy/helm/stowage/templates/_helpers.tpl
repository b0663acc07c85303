{{- define "stowage.image" -}}
{{- $place := required "image.place must say where the images of Stowage are, such as registry.example.com/stowage" .Values.image.place -}}
{{- printf "%s/stowage:%s" $place (default .Chart.AppVersion .Values.image.tag) -}}
{{- end -}}

{{- define "stowage.images" -}}
{{- $settings := list -}}
{{- range $variable, $image := .Values.images -}}
{{- $settings = append $settings (printf "%s=%s" $variable $image) -}}
{{- end -}}
{{- join "," $settings -}}
{{- end -}}

{{- define "stowage.labels" -}}
app.kubernetes.io/name: stowage
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}
